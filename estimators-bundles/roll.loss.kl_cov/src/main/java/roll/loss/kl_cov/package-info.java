/** The policy loss of KL-Cov (Cui et al. 2025): a pull on the tokens of highest covariance. */
@NullMarked
package roll.loss.kl_cov;

import org.jspecify.annotations.NullMarked;
