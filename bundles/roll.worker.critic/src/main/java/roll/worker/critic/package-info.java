/** The role of the value model. */
@NullMarked
package roll.worker.critic;

import org.jspecify.annotations.NullMarked;
