/** The policy loss of GSPO (Zheng et al. 2025): one ratio per sample. */
@NullMarked
package roll.loss.gspo;

import org.jspecify.annotations.NullMarked;
