/** The command {@code serve}: a model behind an HTTP interface. */
@NullMarked
package roll.shell.serve;

import org.jspecify.annotations.NullMarked;
