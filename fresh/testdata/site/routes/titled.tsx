import Titled from "../islands/Titled.tsx";

export default function TitledPage() {
  return <Titled />;
}
