/* Quantiles of Student's distribution, for intervals from few samples. */
#ifndef CSIM_SAMPLE_STUDENT_H
#define CSIM_SAMPLE_STUDENT_H

/* t such that a variable of Student's distribution is within -t and t with that probability, 0 < confidence < 1. df:
 * degrees of freedom, > 0, which need not be whole (Satterthwaite's are not); from 1e6 on as if they were 1e6. */
double student_two_sided(double df, double confidence);

#endif
