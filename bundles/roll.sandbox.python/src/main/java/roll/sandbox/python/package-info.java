/** Untrusted Python programs in this process. */
@NullMarked
package roll.sandbox.python;

import org.jspecify.annotations.NullMarked;
