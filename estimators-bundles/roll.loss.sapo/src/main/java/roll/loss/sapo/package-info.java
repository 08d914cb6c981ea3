/** The policy loss of SAPO (Gao et al. 2025): a soft gate instead of a clip. */
@NullMarked
package roll.loss.sapo;

import org.jspecify.annotations.NullMarked;
