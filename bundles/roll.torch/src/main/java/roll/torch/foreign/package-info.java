/**
 * Native libraries: NVIDIA's driver and runtime, functions of libtorch that DJL does not offer, the
 * C library.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.torch.foreign;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
