@NullMarked
package roll.serve;

import org.jspecify.annotations.NullMarked;
