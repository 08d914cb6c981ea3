/** Python programs that nobody trusts, in this process or in one of their own. */
@NullMarked
package roll.sandbox.python;

import org.jspecify.annotations.NullMarked;
