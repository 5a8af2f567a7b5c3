/* What examples/seeded_bugs.c checks: four hand-written derivatives, two of geometry and two of
   learning, and the mistakes that can be switched on in them, one at a time. SEEDED(bug) stands in
   the derivative code where the mistake is made; the functions themselves are always right. */
#ifndef SEEDED_MODELS_H
#define SEEDED_MODELS_H

#include <math.h>
#include <stddef.h>
#include <string.h>

enum seeded_bug {
    BUG_NONE = 0,
    /* rotation */
    BUG_SINE_SIGN, BUG_TRANSPOSED, BUG_ZERO_BY_ZERO, BUG_PI,
    /* camera */
    BUG_DISTORTION, BUG_SWAPPED, BUG_DEPTH_SIGN, BUG_PAST_END, BUG_IN_PLACE,
    /* mixture */
    BUG_CHAIN_RULE, BUG_SHIFTED, BUG_UNWRITTEN, BUG_STALE,
    /* LSTM */
    BUG_GATE, BUG_FACTOR, BUG_ACCUMULATES
};

#define MIXTURE_POINTS 10

/* The `user` of every function here. */
typedef struct seeded {
    enum seeded_bug bug;
    double cache[MIXTURE_POINTS][2];     /* what the mixture's likelihood leaves behind */
} seeded;

#define SEEDED(b) (((const seeded *)user)->bug == (b))

#include "seeded_rotation.h"
#include "seeded_camera.h"
#include "seeded_mixture.h"
#include "seeded_lstm.h"
#endif
