/** Starts DJL's PyTorch engine inside OSGi and registers it as a service. */
@NullMarked
package roll.djl;

import org.jspecify.annotations.NullMarked;
