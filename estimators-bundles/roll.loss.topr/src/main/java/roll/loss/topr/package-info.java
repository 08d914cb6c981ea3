/** The policy loss of TOPR (Le Roux et al. 2025): good samples as they are, bad ones tapered. */
@NullMarked
package roll.loss.topr;

import org.jspecify.annotations.NullMarked;
