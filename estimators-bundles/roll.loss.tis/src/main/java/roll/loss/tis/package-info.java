/** The policy gradient with truncated importance sampling. */
@NullMarked
package roll.loss.tis;

import org.jspecify.annotations.NullMarked;
