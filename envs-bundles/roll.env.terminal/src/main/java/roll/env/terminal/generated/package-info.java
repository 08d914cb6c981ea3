/** Small generated tasks with a scripted expert. */
@NullMarked
package roll.env.terminal.generated;

import org.jspecify.annotations.NullMarked;
