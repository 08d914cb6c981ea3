/** Jars in the watched folder: what each offers, or why it is refused. */
@NullMarked
package roll.deploy;

import org.jspecify.annotations.NullMarked;
