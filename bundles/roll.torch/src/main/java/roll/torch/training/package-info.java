/**
 * Training on one device: passes forward and backward, gradients, optimizer, its state in a folder.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.torch.training;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
