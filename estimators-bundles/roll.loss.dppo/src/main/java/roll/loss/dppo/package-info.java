/** The policy loss of DPPO: a divergence in place of PPO's clipped ratio. */
@NullMarked
package roll.loss.dppo;

import org.jspecify.annotations.NullMarked;
