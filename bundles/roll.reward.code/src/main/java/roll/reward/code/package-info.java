/** A reward for programs: they are run, and their tests. */
@NullMarked
package roll.reward.code;

import org.jspecify.annotations.NullMarked;
