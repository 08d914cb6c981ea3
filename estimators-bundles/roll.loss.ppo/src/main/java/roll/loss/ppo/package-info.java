/** The policy loss of PPO (Schulman et al. 2017) with the clips and terms that ROLL adds. */
@NullMarked
package roll.loss.ppo;

import org.jspecify.annotations.NullMarked;
