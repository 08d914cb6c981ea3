/** Vision towers: the pictures of samples, and the features that replace their placeholders. */
@Export
@NullMarked
@Version("1.0.0")
package roll.torch.vision;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
