/** Untrusted Python programs in isolated processes of the installed python3. */
@NullMarked
package roll.sandbox.python_process;

import org.jspecify.annotations.NullMarked;
