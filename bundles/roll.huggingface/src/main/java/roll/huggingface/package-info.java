/** Hugging Face's model folders: safetensors, PEFT adapters, tokenizers. */
@Export
@NullMarked
@Version("1.0.0")
package roll.huggingface;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
