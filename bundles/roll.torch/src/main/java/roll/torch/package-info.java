/** The compute layer: devices, kernels and memory of libtorch. */
@Export
@NullMarked
@Version("1.0.0")
package roll.torch;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
