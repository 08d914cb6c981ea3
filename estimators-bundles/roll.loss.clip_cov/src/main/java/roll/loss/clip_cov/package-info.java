/** The policy loss of Clip-Cov (Cui et al. 2025): some tokens of high covariance have none. */
@NullMarked
package roll.loss.clip_cov;

import org.jspecify.annotations.NullMarked;
