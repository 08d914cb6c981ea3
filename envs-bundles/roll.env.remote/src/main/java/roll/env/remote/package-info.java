/** The environment {@code remote}: worlds of other languages, behind a program or an address. */
@NullMarked
package roll.env.remote;

import org.jspecify.annotations.NullMarked;
