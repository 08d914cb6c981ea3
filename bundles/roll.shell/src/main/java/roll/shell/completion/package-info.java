/** Completion of command lines by the Tab key. */
@NullMarked
package roll.shell.completion;

import org.jspecify.annotations.NullMarked;
