/** Tasks as folders in Harbor's format. */
@NullMarked
package roll.env.terminal.task;

import org.jspecify.annotations.NullMarked;
