@NullMarked
package roll.bench.llamacpp;

import org.jspecify.annotations.NullMarked;
