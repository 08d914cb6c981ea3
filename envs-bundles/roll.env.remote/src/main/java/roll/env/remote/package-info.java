/** The environment {@code remote}: environments in other languages, in a program or a server. */
@NullMarked
package roll.env.remote;

import org.jspecify.annotations.NullMarked;
