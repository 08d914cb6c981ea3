/** The commands {@code serve} and {@code ui}. */
@NullMarked
package roll.shell.serve;

import org.jspecify.annotations.NullMarked;
