/** The plain policy gradient (REINFORCE, Williams 1992; GPG, Chu et al. 2025). */
@NullMarked
package roll.loss.gpg;

import org.jspecify.annotations.NullMarked;
