/** Models: parameters read and written, forward passes, heads. */
@Export
@NullMarked
@Version("1.0.0")
package roll.torch.model;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
