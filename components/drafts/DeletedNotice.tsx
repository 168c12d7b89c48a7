/** Says after deleting a record that is published that the deletion is to be published too. */
import { Notice } from "../Notice.tsx";

interface DeletedNoticeProps {
  /** "API backend" */
  readonly noun: string;
  /** What goes on until then: "callers can use it". */
  readonly meanwhile: string;
}

export function DeletedNotice({ noun, meanwhile }: DeletedNoticeProps) {
  return (
    <Notice tone="ok">
      <p>
        The {noun} is deleted. If it was live, {meanwhile} until you{" "}
        <a href="/admin/publish">publish the deletion</a>.
      </p>
    </Notice>
  );
}
