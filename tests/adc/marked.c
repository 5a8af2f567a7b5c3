/* adc: only lines that end in a mark change, tabs and other line ends or not */
#include <math.h>
#include <stdio.h>

#define   RATE   0.25   /* a comment of a macro's */
#define LONG(a, b) ((a)   \
                    + (b))

/* What the model is made of;
   two lines of comment. */
struct  model {                       // odd   blanks
    double   rate ;  /* 1/s */
    int      steps;
    const char *label;                /* "quoted" */
} ;

// a table of numbers, in columns
static const double table [ 3 ] [ 2 ] = {
    {  1.0 ,  2.00 },
    { 10.0 , 20.00 },  /* tens */
    { .5   ,  1e-3 }
};

static int   odd( int  n )
{
    /* nothing here varies */
    return   n%2 ;
}

static double pick(int i,
                   int k)
{
    return table[ i ]
                [ k ];                // on two lines
}

/* The state after so many steps. */
static double advance(double u, const struct model *m) /*+*/
{
    int i;

    for(i=0;i<m->steps;i++){          /* no blanks here */
        if( odd(i) ) continue ;
        u   =   u - m->rate * u   ;   /*+*/

        ;
    }
    printf( "%s: %d steps\n" , m->label , m->steps );
    return u;
}

void marked(const double *x, double *y) /*+*/
{
    struct model  m  =  { RATE , 4 , "m" };
    double a = x [0] ,b = 2 ;         /*+*/
    const double c = LONG(RATE,  1) ;
    int      i = 0;

    m.rate = pick( 2,
                   1 ) + c;
    if (m.steps > 3) goto   end;
    i  ++;
end:
    a += x[ 1 ]  /* inside */ * c ;   /*+*/
    y[0] = advance( a , & m )         /*+*/
           + b;                       /*+*/
    y [ 1 ]=x[i] ;
    (void)   i;
}
