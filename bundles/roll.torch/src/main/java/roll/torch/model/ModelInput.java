package roll.torch.model;

import org.jspecify.annotations.Nullable;
import roll.torch.TokenTensors;
import roll.torch.vision.VisionInput;

/**
 * A micro-batch as a model's input.
 *
 * @param text the tokens
 * @param seen the pictures, or null without any
 */
public record ModelInput(TokenTensors text, @Nullable VisionInput seen) {}
