/** From one level to the next once the policy succeeds on it. */
@NullMarked
package roll.curriculum.success;

import org.jspecify.annotations.NullMarked;
