/** Vision towers: pictures of samples, and what a decoder reads in their places. */
@Export
@NullMarked
@Version("1.0.0")
package roll.torch.vision;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
