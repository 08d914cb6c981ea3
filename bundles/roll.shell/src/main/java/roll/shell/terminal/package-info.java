/** What a terminal shows and reads: tables, colors, JSON, typed lines, a person who plays. */
@NullMarked
package roll.shell.terminal;

import org.jspecify.annotations.NullMarked;
