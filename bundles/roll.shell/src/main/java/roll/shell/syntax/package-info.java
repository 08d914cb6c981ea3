/** Parsing and lookup shared by commands. */
@NullMarked
package roll.shell.syntax;

import org.jspecify.annotations.NullMarked;
