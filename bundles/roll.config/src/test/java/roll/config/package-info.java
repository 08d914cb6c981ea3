@NullMarked
package roll.config;

import org.jspecify.annotations.NullMarked;
