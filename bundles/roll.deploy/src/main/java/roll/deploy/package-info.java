/** Deploys bundle jars at run time, by command and from a watched folder. */
@NullMarked
package roll.deploy;

import org.jspecify.annotations.NullMarked;
