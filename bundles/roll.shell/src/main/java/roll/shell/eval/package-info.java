/** The command {@code eval}: success of a model on tasks, with intervals and paired tests. */
@NullMarked
package roll.shell.eval;

import org.jspecify.annotations.NullMarked;
