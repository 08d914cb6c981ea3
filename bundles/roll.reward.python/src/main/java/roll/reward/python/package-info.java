/** A reward by a function of a Python file. */
@NullMarked
package roll.reward.python;

import org.jspecify.annotations.NullMarked;
