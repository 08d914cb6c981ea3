/** Starts DJL's PyTorch engine inside OSGi and offers it as a service. */
@NullMarked
package roll.djl;

import org.jspecify.annotations.NullMarked;
