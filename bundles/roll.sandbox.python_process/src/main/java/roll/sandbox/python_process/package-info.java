/** Python programs that nobody trusts, in processes of the installed python3 that are shut in. */
@NullMarked
package roll.sandbox.python_process;

import org.jspecify.annotations.NullMarked;
