package roll.core.plugin;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.device.DeviceInspector;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.decoder.ModelSpecs;

/**
 * The services that read model folders and devices. A distribution without PyTorch, for authors of
 * environments, reads no models.
 *
 * @param tokenizers loads tokenizers, or null
 * @param specs reads the specifications of models, or null
 * @param devices lists the accelerators, or null on a machine without any
 */
@Component(name = "roll.core.models", service = ModelSupport.class)
public record ModelSupport(
    @Nullable TokenizerLoader tokenizers,
    @Nullable ModelSpecs specs,
    @Nullable DeviceInspector devices) {
  /** The notice of a check in place of checking roles and their models. */
  public static final String NOTICE =
      "this distribution lacks roll.torch and cannot train: roles, strategies and models are not"
          + " checked";

  /** Creates the component. */
  @Activate
  public ModelSupport(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY)
          @Nullable TokenizerLoader tokenizers,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable ModelSpecs specs,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable DeviceInspector devices) {
    this.tokenizers = tokenizers;
    this.specs = specs;
    this.devices = devices;
  }

  /**
   * Returns the loader of tokenizers.
   *
   * @throws UserException if there is none, naming {@code command}, which needs it
   */
  public TokenizerLoader requireTokenizers(String command) {
    return require(tokenizers, command);
  }

  /**
   * Returns the reader of model specifications.
   *
   * @throws UserException if there is none, naming {@code command}, which needs it
   */
  public ModelSpecs requireSpecs(String command) {
    return require(specs, command);
  }

  private static <T> T require(@Nullable T service, String command) {
    if (service == null) {
      throw new UserException(
          command
              + ": this distribution lacks the bundle roll.torch, which reads models (an agent can"
              + " play: rollout --agent random)");
    }
    return service;
  }
}
