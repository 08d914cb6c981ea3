@NullMarked
package roll.http;

import org.jspecify.annotations.NullMarked;
