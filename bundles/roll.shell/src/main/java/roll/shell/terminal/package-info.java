/** Terminal input and output: tables, colors, JSON, input lines, the agent {@code human}. */
@NullMarked
package roll.shell.terminal;

import org.jspecify.annotations.NullMarked;
