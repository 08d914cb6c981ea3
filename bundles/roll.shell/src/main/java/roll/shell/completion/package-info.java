/** Tab completion. */
@NullMarked
package roll.shell.completion;

import org.jspecify.annotations.NullMarked;
