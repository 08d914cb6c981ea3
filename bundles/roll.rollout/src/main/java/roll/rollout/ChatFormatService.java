package roll.rollout;

import org.osgi.service.component.annotations.Component;
import roll.api.model.Tokenizer;
import roll.api.rollout.ChatFormat;

/** Offers this bundle's chat formats to others: a prompt is to be read as in training. */
@Component(name = "roll.rollout.chat")
public final class ChatFormatService implements roll.api.rollout.ChatFormats {
  @Override
  public ChatFormat find(String name, Tokenizer tokenizer) {
    return ChatFormats.find(name, tokenizer);
  }
}
