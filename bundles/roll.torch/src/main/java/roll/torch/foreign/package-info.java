/**
 * Libraries that are no Java: of NVIDIA's cards, libtorch where DJL does not reach, the C library.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.torch.foreign;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
