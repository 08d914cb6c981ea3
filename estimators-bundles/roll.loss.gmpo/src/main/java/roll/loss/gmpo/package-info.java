/** The policy loss of GMPO (Zhao et al. 2025): geometric means of clipped ratios. */
@NullMarked
package roll.loss.gmpo;

import org.jspecify.annotations.NullMarked;
